using System.Collections;
using System.Globalization;

namespace Larder.Client;

/// <summary>The text of a result for logs: the outcome with a number or a length, never with bytes.</summary>
internal static class ResultText
{
    public static string Of<T>(string outcome, T value) => value switch
    {
        ICollection list => string.Create(CultureInfo.InvariantCulture, $"{outcome} ({list.Count} items)"),
        null => outcome,
        _ => string.Create(CultureInfo.InvariantCulture, $"{outcome} ({value})"),
    };
}
