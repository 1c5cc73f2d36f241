using Larder.Store.Collections;

namespace Larder.Store.Bench;

/// <summary>An answer of a store or of its model, to be compared: how it ended, a hash of what it showed, and a number beside it.</summary>
internal readonly record struct CollectionAnswer(CollectionOutcome Outcome, ulong Shown, double Number)
{
    public static CollectionAnswer Missing => new(CollectionOutcome.Missing, 0, 0);

    public static CollectionAnswer Ok => new(CollectionOutcome.Ok, 0, 0);

    public static CollectionAnswer Of(double number) => new(CollectionOutcome.Ok, 0, number);
}
