namespace Larder.Store.Collections;

/// <summary>An element of a response. Its spans point into the store's memory and are valid only during the call to the sink.</summary>
public readonly ref struct CollectionElement
{
    /// <summary>Creates an element of a response.</summary>
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

    /// <summary>Gets the field, the member, or the list element. If the element was requested by name and is missing, this is the requested name.</summary>
    public ReadOnlySpan<byte> Name { get; }

    /// <summary>Gets the value of a dictionary's field. Empty for other types.</summary>
    public ReadOnlySpan<byte> Value { get; }

    /// <summary>Gets the score of a sorted set's member; 0 for other types.</summary>
    public double Score { get; }

    /// <summary>Gets whether the element exists. It is false only if the element was requested by name and is missing.</summary>
    public bool IsPresent { get; }
}
