using System.Text;

namespace Larder.Client;

/// <summary>A field of a dictionary, in a response.</summary>
/// <param name="Field">The field's bytes.</param>
/// <param name="Value">The value's bytes.</param>
public readonly record struct DictionaryField(ReadOnlyMemory<byte> Field, ReadOnlyMemory<byte> Value)
{
    /// <summary>Gets the field as text, decoded as UTF-8.</summary>
    public string FieldString => Encoding.UTF8.GetString(Field.Span);

    /// <summary>Gets the value as text, decoded as UTF-8.</summary>
    public string ValueString => Encoding.UTF8.GetString(Value.Span);

    /// <summary>Returns only the type's name, because fields may be secrets.</summary>
    public override string ToString() => nameof(DictionaryField);
}
