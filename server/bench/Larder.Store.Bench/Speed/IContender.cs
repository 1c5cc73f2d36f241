namespace Larder.Store.Bench;

/// <summary>A store that gets and sets in batches. Preparing the keys is not timed.</summary>
internal interface IContender
{
    string Name { get; }

    /// <summary>Prepares the keys of a batch in the form that this contender requires.</summary>
    object Prepare(ReadOnlySpan<int> keys);

    /// <summary>Gets each key of a batch and copies its value.</summary>
    void Get(object batch, byte[] destination);

    /// <summary>Sets each key of a batch to its own copy of the value.</summary>
    void Set(object batch, byte[] value);
}
