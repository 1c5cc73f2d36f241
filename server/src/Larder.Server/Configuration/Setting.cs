using System.CommandLine;

namespace Larder.Server.Configuration;

/// <summary>A value of an option of <c>larder serve</c> that is set outside the command line.</summary>
/// <param name="Option">The option.</param>
/// <param name="Values">The values, in the form that the command line accepts. Only a repeatable option has zero or several values.</param>
/// <param name="Source">The place of the value, as it is shown to users: <c>larder.toml:3</c>, or the name of an environment variable.</param>
internal sealed record Setting(Option Option, IReadOnlyList<string> Values, string Source)
{
    /// <summary>Gets the arguments that set the option on the command line.</summary>
    public IEnumerable<string> Arguments => Values.SelectMany(value => ArgumentsOf(Option, value));

    /// <summary>Returns the arguments that set an option to a value. In this form, a value is never parsed as an option.</summary>
    public static IEnumerable<string> ArgumentsOf(Option option, string value) => value.Length == 0 ? [option.Name, value] : [$"{option.Name}={value}"];
}
