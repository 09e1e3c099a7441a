<?php

namespace App;

use App\Model\{Role, User as Person};
use function strlen;

require_once __DIR__ . '/helpers.php';

class Report extends Base
{
    private ?Person $last = null;

    /** @param Person[] $people */
    public function print(array $people): int
    {
        $total = 0;
        foreach ($people as $person) {
            $total += strlen($person->greet());
        }
        $this->last = new Person('Ada', Role::Admin);
        $show = fn (Person $it) => $it->name();
        $total += parent::count() + Person::LIMIT;
        return $total + strlen($show($this->last) . Person::guest()?->greet() . shout('x'));
    }
}

abstract class Base
{
    protected function count(): int
    {
        return 1;
    }
}
