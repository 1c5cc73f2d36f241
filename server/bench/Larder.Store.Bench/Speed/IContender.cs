namespace Larder.Store.Bench;

/// <summary>A store whose speed is compared. It executes gets and sets in batches. The time to prepare the keys is not measured.</summary>
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
