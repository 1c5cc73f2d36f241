using Larder.Store.Collections;

namespace Larder.Store.Bench;

/// <summary>A response of a store or of its model, for comparison: the outcome, a hash of the elements, and a number.</summary>
internal readonly record struct CollectionAnswer(CollectionOutcome Outcome, ulong Shown, double Number)
{
    public static CollectionAnswer Missing => new(CollectionOutcome.Missing, 0, 0);

    public static CollectionAnswer Ok => new(CollectionOutcome.Ok, 0, 0);

    public static CollectionAnswer Of(double number) => new(CollectionOutcome.Ok, 0, number);
}
