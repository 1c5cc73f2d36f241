namespace Larder.Client;

/// <summary>A field of a dictionary, in a result.</summary>
/// <param name="Field">The field.</param>
/// <param name="Value">The field's value.</param>
public readonly record struct DictionaryField(CacheValue Field, CacheValue Value)
{
    /// <summary>Returns only the type's name, because fields may be secrets.</summary>
    public override string ToString() => nameof(DictionaryField);
}
