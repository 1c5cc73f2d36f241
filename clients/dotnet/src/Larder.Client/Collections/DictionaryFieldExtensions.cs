namespace Larder.Client;

/// <summary>Converts a dictionary's fields to a .NET dictionary.</summary>
public static class DictionaryFieldExtensions
{
    /// <summary>
    /// Returns a new dictionary with the fields and values as text, decoded as UTF-8. If several fields decode to the same text, the last one is kept.
    /// </summary>
    /// <param name="fields">The fields of a result.</param>
    public static Dictionary<string, string> ToStringDictionary(this IReadOnlyList<DictionaryField> fields)
    {
        ArgumentNullException.ThrowIfNull(fields);
        Dictionary<string, string> read = new(fields.Count, StringComparer.Ordinal);
        foreach (DictionaryField field in fields)
        {
            read[field.Field.Text] = field.Value.Text;
        }

        return read;
    }
}
