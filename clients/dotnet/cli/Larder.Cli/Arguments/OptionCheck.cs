using System.CommandLine;
using System.Globalization;

namespace Larder.Cli;

/// <summary>
/// Finds unknown options before <c>--</c>. Without this check, the parser treats a misspelled option as a value, which <c>set</c> would store. This file is
/// also compiled into the command line of the file cache.
/// </summary>
internal static class OptionCheck
{
    /// <summary>Returns the words that start with a dash and are not an option of the command, an option's value, a number, or <c>-</c>.</summary>
    /// <param name="command">The parsed command.</param>
    /// <param name="words">All words, including the command's name.</param>
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

    /// <summary>Returns the options of a command and the recursive options of its parents, by name and alias.</summary>
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
        double.TryParse(word, NumberStyles.Float, CultureInfo.InvariantCulture, out _) || word.Equals("-inf", StringComparison.OrdinalIgnoreCase);
}
