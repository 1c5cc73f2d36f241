using System.Globalization;

namespace Larder.Wire;

/// <summary>Converts a status code to and from its decimal text in <c>grpc-status</c>.</summary>
internal static class StatusText
{
    private static readonly string[] Texts =
        [.. Enumerable.Range(0, (int)StatusCode.Unauthenticated + 1).Select(code => code.ToString(CultureInfo.InvariantCulture))];

    public static string Of(StatusCode code) =>
        (uint)code < (uint)Texts.Length ? Texts[(int)code] : Texts[(int)StatusCode.Unknown];

    /// <summary>Parses a code. An unknown code or text that is not a number becomes <see cref="StatusCode.Unknown"/>.</summary>
    public static StatusCode Parse(string text) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int code) && code < Texts.Length
            ? (StatusCode)code
            : StatusCode.Unknown;
}
