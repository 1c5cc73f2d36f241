namespace Larder.Store.Collections;

/// <summary>An element of an answer. Its bytes are the store's own, and there only while it is shown.</summary>
public readonly ref struct CollectionElement
{
    /// <summary>An element of an answer.</summary>
    /// <param name="name">See <see cref="Name"/>.</param>
    /// <param name="value">See <see cref="Value"/>.</param>
    /// <param name="score">See <see cref="Score"/>.</param>
    /// <param name="isPresent">See <see cref="IsPresent"/>.</param>
    public CollectionElement(ReadOnlySpan<byte> name, ReadOnlySpan<byte> value, double score, bool isPresent)
    {
        Name = name;
        Value = value;
        Score = score;
        IsPresent = isPresent;
    }

    /// <summary>The field, the member, or the list's element; of one that was asked for by name and is not there, the name.</summary>
    public ReadOnlySpan<byte> Name { get; }

    /// <summary>A dictionary's value; else empty.</summary>
    public ReadOnlySpan<byte> Value { get; }

    /// <summary>A sorted set's score; else 0.</summary>
    public double Score { get; }

    /// <summary>Whether it is there: false only where it was asked for by name and is not.</summary>
    public bool IsPresent { get; }
}
