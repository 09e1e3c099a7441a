<?php

declare(strict_types=1);

namespace App\Model;

interface Named
{
    public function name(): string;
}

trait Greets
{
    public function greet(): string
    {
        return 'Hello ' . $this->name();
    }
}

enum Role: string
{
    case Admin = 'admin';
    case Guest = 'guest';
}

class User implements Named
{
    use Greets;

    public const LIMIT = 3;
    private static int $count = 0;

    public function __construct(private string $name, protected Role $role = Role::Guest)
    {
        self::$count++;
    }

    public static function guest(): self
    {
        return new static('guest');
    }

    public function name(): string
    {
        return $this->name;
    }
}
