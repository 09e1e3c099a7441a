<?php

namespace Post;

interface Markable
{
    public function mark(): string;
}

trait Marking
{
    public function mark(): string
    {
        return 'marked';
    }
}

class Stamped implements Markable
{
    use Marking;
}

function stampOf(Stamped $it): string
{
    return $it->mark();
}
