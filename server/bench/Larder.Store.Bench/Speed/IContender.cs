namespace Larder.Store.Bench;

/// <summary>Something that gets and sets in batches, timed without the making of its keys.</summary>
internal interface IContender
{
    string Name { get; }

    /// <summary>Makes one batch's keys ready in the form this contender takes.</summary>
    object Prepare(ReadOnlySpan<int> keys);

    /// <summary>Gets each key of a batch, copying its value out.</summary>
    void Get(object batch, byte[] destination);

    /// <summary>Sets each key of a batch to a value of its own.</summary>
    void Set(object batch, byte[] value);
}
