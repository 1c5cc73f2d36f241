using System.Text;

namespace Larder.Client;

/// <summary>A field of a dictionary, as it is answered.</summary>
/// <param name="Field">The field's bytes.</param>
/// <param name="Value">Its value's bytes.</param>
public readonly record struct DictionaryField(ReadOnlyMemory<byte> Field, ReadOnlyMemory<byte> Value)
{
    /// <summary>The field as text: its bytes read as UTF-8.</summary>
    public string FieldString => Encoding.UTF8.GetString(Field.Span);

    /// <summary>The value as text: its bytes read as UTF-8.</summary>
    public string ValueString => Encoding.UTF8.GetString(Value.Span);

    /// <summary>The type's name: fields may be secrets.</summary>
    public override string ToString() => nameof(DictionaryField);
}
