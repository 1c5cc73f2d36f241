using System.CommandLine;
using System.Globalization;

namespace Larder.Cli;

/// <summary>
/// Refuses what looks like an option and is none, before <c>--</c>: the parser would take a misspelt option for a value, and a set would store it.
/// </summary>
internal static class OptionCheck
{
    /// <summary>The words that begin with a dash and are neither an option of the command, nor an option's value, nor a number, nor <c>-</c> itself.</summary>
    /// <param name="command">The command that the words were parsed as.</param>
    /// <param name="words">All words, the command's own among them.</param>
    public static IReadOnlyList<string> Unknown(Command command, IReadOnlyList<string> words)
    {
        Dictionary<string, Option> known = Known(command);
        List<string> unknown = [];
        for (int i = 0; i < words.Count && words[i] != "--"; i++)
        {
            string word = words[i];
            if (word.Length < 2 || word[0] != '-' || IsNumber(word))
            {
                continue;
            }

            int end = word.IndexOfAny(['=', ':']);
            string name = end < 0 ? word : word[..end];
            if (!known.TryGetValue(name, out Option? option))
            {
                unknown.Add(name);
            }
            else if (end < 0 && option.Arity.MinimumNumberOfValues > 0)
            {
                i++;
            }
        }

        return unknown;
    }

    /// <summary>The options of a command and those that hold for all below it, by every name.</summary>
    public static Dictionary<string, Option> Known(Command command)
    {
        Dictionary<string, Option> known = new(StringComparer.Ordinal);
        for (Command? part = command; part is not null; part = part.Parents.OfType<Command>().FirstOrDefault())
        {
            foreach (Option option in part.Options.Where(option => ReferenceEquals(part, command) || option.Recursive))
            {
                known[option.Name] = option;
                foreach (string alias in option.Aliases)
                {
                    known[alias] = option;
                }
            }
        }

        return known;
    }

    private static bool IsNumber(string word) =>
        double.TryParse(word, NumberStyles.Float, CultureInfo.InvariantCulture, out _) || Number.TryScore(word, out _);
}
