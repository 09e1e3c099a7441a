<?php

namespace App;

const MARK = '!';

function shout(string $text): string
{
    return $text . MARK;
}
