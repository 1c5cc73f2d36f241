using System.Globalization;

namespace Larder.Wire;

/// <summary>The decimal text of a code in <c>grpc-status</c>.</summary>
internal static class StatusText
{
    private static readonly string[] Texts =
        [.. Enumerable.Range(0, (int)StatusCode.Unauthenticated + 1).Select(code => code.ToString(CultureInfo.InvariantCulture))];

    public static string Of(StatusCode code) =>
        (uint)code < (uint)Texts.Length ? Texts[(int)code] : Texts[(int)StatusCode.Unknown];

    /// <summary>Reads a code; one that gRPC does not have, or no number, is <see cref="StatusCode.Unknown"/>.</summary>
    public static StatusCode Parse(string text) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int code) && code < Texts.Length
            ? (StatusCode)code
            : StatusCode.Unknown;
}
