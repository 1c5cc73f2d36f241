namespace Larder.Store.Collections;

/// <summary>
/// The reference from a sorted set's tree to an element. References are ordered by score. If the scores are equal, they are ordered by the member's bytes.
/// </summary>
internal unsafe struct ScoredRecord(double score, byte* record)
{
    public double Score = score;

    /// <summary>The element's record in the <see cref="HashIndex"/>.</summary>
    public byte* Record = record;

    /// <summary>
    /// Compares two references. Returns a negative number if this element precedes the other, 0 if both are the same element, and otherwise a positive number.
    /// </summary>
    public readonly int CompareTo(double score, ReadOnlySpan<byte> member) =>
        Score < score ? -1 : Score > score ? 1 : HashIndex.Element(Record).Key.SequenceCompareTo(member);
}
