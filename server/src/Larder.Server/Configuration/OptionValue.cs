using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using System.Net;

namespace Larder.Server.Configuration;

/// <summary>Parses the values of the options of <c>larder serve</c>. If a value is invalid, an error that names the option is added to the result.</summary>
internal static class OptionValue
{
    public static IPAddress? ParseAddress(ArgumentResult result)
    {
        string text = TextOf(result);
        if (text == "localhost")
        {
            return IPAddress.Loopback;
        }

        if (!IPAddress.TryParse(text, out IPAddress? address))
        {
            result.AddError($"{NameOf(result)} must be an IP address such as 127.0.0.1, 0.0.0.0 or ::, but is '{text}'");
        }

        return address;
    }

    public static Uri? ParseUrl(ArgumentResult result)
    {
        string text = TextOf(result);
        if (!Uri.TryCreate(text, UriKind.Absolute, out Uri? url))
        {
            result.AddError($"{NameOf(result)} must be a URL such as http://localhost:4318, but is '{ConfigurationText.HideSecrets(text)}'");
        }

        return url;
    }

    public static T ParseName<T>(ArgumentResult result)
        where T : struct, Enum
    {
        string text = TextOf(result);
        if (!Enum.TryParse(text, ignoreCase: true, out T value) || !text.All(char.IsAsciiLetter))
        {
            string names = string.Join(", ", Enum.GetNames<T>()).ToLowerInvariant();
            result.AddError($"{NameOf(result)} must be one of {names}, but is '{text}'");
        }

        return value;
    }

    public static int ParseWhole(ArgumentResult result)
    {
        string text = TextOf(result);
        if (!int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int number))
        {
            result.AddError($"{NameOf(result)} must be a whole number, but is '{text}'");
        }

        return number;
    }

    public static DurationArgument ParseDuration(ArgumentResult result)
    {
        string text = TextOf(result);
        if (!DurationText.TryParse(text, out TimeSpan duration))
        {
            result.AddError($"{NameOf(result)} must be a duration such as 90s, 15m, 24h or 30d, but is '{text}'");
        }

        return new DurationArgument(duration);
    }

    public static SizeArgument ParseSize(ArgumentResult result)
    {
        string text = TextOf(result);
        if (!ByteSize.TryParse(text, out long bytes))
        {
            result.AddError($"{NameOf(result)} must be a size such as 512m or 4g, or a number of bytes, but is '{text}'");
        }

        return new SizeArgument(bytes);
    }

    private static string TextOf(ArgumentResult result) => result.Tokens is [Token token, ..] ? token.Value : "";

    private static string? NameOf(ArgumentResult result) => (result.Parent as OptionResult)?.Option.Name;
}
