using Larder.Store.Collections;

namespace Larder.Store.Bench;

/// <summary>Hashes the elements of a response, with or without regard to their order, and optionally stores the names of the elements.</summary>
internal struct CollectionSink(bool isOrdered, List<byte[]>? names = null) : ICollectionSink
{
    private long _expected = -1;

    public ulong Shown { get; private set; }

    public readonly CollectionAnswer Answer(CollectionOutcome outcome, double number = 0)
    {
        Invariant.Holds(outcome == CollectionOutcome.Ok ? _expected == 0 : _expected == -1, "an answer has as many elements as it says");
        return new CollectionAnswer(outcome, Shown, number);
    }

    public void Begin(long elements)
    {
        Invariant.Holds(_expected == -1, "an answer begins once");
        _expected = elements;
        Shown = 1;
    }

    public void Accept(in CollectionElement element)
    {
        _expected--;
        Show(element.Name, element.Value, element.Score, element.IsPresent);
        names?.Add(element.Name.ToArray());
    }

    public void Show(ReadOnlySpan<byte> name, ReadOnlySpan<byte> value, double score, bool isPresent)
    {
        ulong hash = KeyHash.Compute(name, isPresent ? 3u : 2u);
        hash ^= ulong.RotateLeft(KeyHash.Compute(value, 4), 7);
        hash ^= BitConverter.DoubleToUInt64Bits(score) * 31;
        Shown = isOrdered ? (Shown * 0x9E3779B97F4A7C15) + hash : Shown + (hash * 0x9E3779B97F4A7C15);
    }
}
