using System.CommandLine;

namespace Larder.Server.Configuration;

/// <summary>
/// Reads the settings of <c>larder serve</c> from environment variables. The variable of an option is <c>LARDER_SERVE_</c> and its name, for example
/// <c>LARDER_SERVE_MAX_TTL</c>. Three options have a second variable, which does not contain <c>SERVE</c>.
/// </summary>
internal static class EnvironmentSettings
{
    /// <summary>The prefix of the variables of all options.</summary>
    public const string Prefix = "LARDER_SERVE_";

    /// <summary>The second variable of <c>--token</c>. Other users of the machine cannot see it, unlike an argument.</summary>
    public const string TokenVariable = "LARDER_TOKEN";

    /// <summary>The second variable of <c>--store</c>, whose URL may contain a password.</summary>
    public const string StoreVariable = "LARDER_STORE";

    /// <summary>The second variable of <c>--snapshot</c>.</summary>
    public const string SnapshotVariable = "LARDER_SNAPSHOT";

    private const string TokenOption = "--token";

    private static readonly Dictionary<string, string> SecondVariables = new()
    {
        [TokenOption] = TokenVariable,
        ["--store"] = StoreVariable,
        ["--snapshot"] = SnapshotVariable,
    };

    /// <summary>
    /// Reads the settings. An empty variable counts as unset. Only an empty token is kept, and is later rejected: without a token, the server would accept all
    /// callers.
    /// </summary>
    /// <param name="variables">The environment variables of the process.</param>
    /// <param name="options">The options that a variable may set.</param>
    /// <exception cref="ServerOptionsException">A variable begins with <see cref="Prefix"/> but belongs to no option.</exception>
    public static IReadOnlyList<Setting> Read(IReadOnlyDictionary<string, string> variables, IReadOnlyList<Option> options)
    {
        List<Setting> settings = [];
        HashSet<string> known = [];
        foreach (Option option in options)
        {
            string variable = Prefix + option.Name.TrimStart('-').Replace('-', '_').ToUpperInvariant();
            known.Add(variable);
            foreach (string each in SecondVariables.TryGetValue(option.Name, out string? second) ? [variable, second] : new[] { variable })
            {
                if (variables.TryGetValue(each, out string? value) && (value.Length > 0 || option.Name == TokenOption))
                {
                    string[] values = option.Arity.MaximumNumberOfValues > 1 ? value.Split(',', StringSplitOptions.TrimEntries) : [value];
                    settings.Add(new Setting(option, values, each));
                    break;
                }
            }
        }

        string? stray = variables.Keys.Where(name => name.StartsWith(Prefix, StringComparison.Ordinal) && !known.Contains(name)).Order().FirstOrDefault();
        return stray is null ? settings : throw new ServerOptionsException(
            $"the environment variable {stray} belongs to no option of 'larder serve'; correct its name, or remove it");
    }
}
