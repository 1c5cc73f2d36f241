using System.Collections;
using System.Globalization;

namespace Larder.Client;

/// <summary>Creates the text of a result for logs. The text contains the outcome with a number or a length, but never the bytes of a value.</summary>
internal static class ResultText
{
    public static string Of<T>(string outcome, T value) => value switch
    {
        ICollection list => string.Create(CultureInfo.InvariantCulture, $"{outcome} ({list.Count} items)"),
        null => outcome,
        _ => string.Create(CultureInfo.InvariantCulture, $"{outcome} ({value})"),
    };
}
