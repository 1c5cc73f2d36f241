namespace Larder.Client;

/// <summary>A dictionary's fields as .NET's own dictionary.</summary>
public static class DictionaryFieldExtensions
{
    /// <summary>A new dictionary of the fields and values as text: their bytes read as UTF-8. Of fields that read alike the last one is in it.</summary>
    /// <param name="fields">The fields of an answer.</param>
    public static Dictionary<string, string> ToStringDictionary(this IReadOnlyList<DictionaryField> fields)
    {
        ArgumentNullException.ThrowIfNull(fields);
        Dictionary<string, string> read = new(fields.Count, StringComparer.Ordinal);
        foreach (DictionaryField field in fields)
        {
            read[field.FieldString] = field.ValueString;
        }

        return read;
    }
}
