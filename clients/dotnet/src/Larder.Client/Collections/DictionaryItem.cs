namespace Larder.Client;

/// <summary>A field of a dictionary, in a request.</summary>
/// <param name="Field">The field: at least one byte.</param>
/// <param name="Value">The field's value.</param>
public readonly record struct DictionaryItem(CacheBytes Field, CacheBytes Value);
