namespace Larder.Store.Collections;

/// <summary>An element of a sorted set as its tree refers to it: ordered by score, and where scores are equal by the member's bytes.</summary>
internal unsafe struct ScoredRecord(double score, byte* record)
{
    public double Score = score;

    /// <summary>Its record (<see cref="HashIndex"/>).</summary>
    public byte* Record = record;

    /// <summary>Below 0 where it stands before that element, 0 where it is it.</summary>
    public readonly int CompareTo(double score, ReadOnlySpan<byte> member) =>
        Score < score ? -1 : Score > score ? 1 : HashIndex.Element(Record).Key.SequenceCompareTo(member);
}
