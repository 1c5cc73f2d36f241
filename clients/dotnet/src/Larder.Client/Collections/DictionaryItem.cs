namespace Larder.Client;

/// <summary>A field of a dictionary, as it is stored.</summary>
/// <param name="Field">The field: at least one byte.</param>
/// <param name="Value">Its value.</param>
public readonly record struct DictionaryItem(CacheBytes Field, CacheBytes Value);
