using System.CommandLine;
using System.CommandLine.Parsing;
using Larder.Client;

namespace Larder.Cli;

/// <summary>
/// An argument for fields, elements or values. Each word is text, or hexadecimal if an option requests it. One of the words may be read from standard input.
/// </summary>
internal sealed class ElementsArgument
{
    private readonly Argument<string[]> _words;
    private readonly Option<bool> _hex = new("--hex-elements") { Description = "All arguments except the key and numbers are hexadecimal" };
    private readonly bool _isScored;

    private ElementsArgument(string shown, string description, ArgumentArity arity, bool isScored = false)
    {
        _words = new(shown)
        {
            Description =
                $"{description}; pass - {(arity.MaximumNumberOfValues == 1 ? "" : "in place of one argument ")}to read it unchanged from standard input",
            Arity = arity,
            CustomParser = static result => [.. result.Tokens.Select(static word => word.Value)],
        };
        _words.Validators.Add(RefuseTwoInputs);
        _isScored = isScored;
    }

    /// <summary>Creates an argument for exactly one element.</summary>
    public static ElementsArgument One(string noun, string description) => new(noun, description, ArgumentArity.ExactlyOne);

    /// <summary>Creates an argument for one or more elements.</summary>
    public static ElementsArgument Some(string noun, string description) => new(noun, description, ArgumentArity.OneOrMore);

    /// <summary>Creates an argument for one or more fields, each followed by its value.</summary>
    public static ElementsArgument FieldsWithValues()
    {
        ElementsArgument pairs = new("field value", "Fields, each followed by its value", ArgumentArity.OneOrMore);
        pairs._words.Validators.Add(static result =>
        {
            if (result.Tokens.Count % 2 != 0)
            {
                result.AddError("each field must be followed by its value");
            }
        });
        return pairs;
    }

    /// <summary>Creates an argument for one or more scores, each followed by its element.</summary>
    public static ElementsArgument ScoresWithElements()
    {
        ElementsArgument pairs = new("score element", "Scores (a number, inf or -inf), each followed by its element", ArgumentArity.OneOrMore, isScored: true);
        pairs._words.Validators.Add(static result =>
        {
            if (result.Tokens.Count % 2 != 0)
            {
                result.AddError("each score must be followed by its element");
            }

            foreach (Token score in result.Tokens.Where(static (_, at) => at % 2 == 0).Where(static word => !Number.TryScore(word.Value, out _)))
            {
                result.AddError($"a score must be a number, inf or -inf, but is '{score.Value}'");
            }
        });
        return pairs;
    }

    public void AddTo(Command command)
    {
        command.Add(_words);
        command.Add(_hex);
    }

    /// <summary>Returns the scores, in order.</summary>
    public IEnumerable<double> ScoresOf(ParseResult parsed) =>
        parsed.GetValue(_words)!.Where(static (_, at) => at % 2 == 0).Select(static word => Number.TryScore(word, out double score) ? score : double.NaN);

    /// <summary>Returns the bytes of each word that is not a score, in order.</summary>
    /// <exception cref="ArgumentException">A word is not hexadecimal, or standard input is too long.</exception>
    public async Task<CacheBytes[]> ReadAsync(ParseResult parsed, CancellationToken cancellation)
    {
        string[] words = [.. parsed.GetValue(_words)!.Where((_, at) => !_isScored || at % 2 != 0)];
        CacheBytes[] read = new CacheBytes[words.Length];
        for (int at = 0; at < words.Length; at++)
        {
            read[at] = await ByteArguments.ReadAsync(words[at], parsed.GetValue(_hex), _words.Name, cancellation).ConfigureAwait(false);
        }

        return read;
    }

    private static void RefuseTwoInputs(ArgumentResult result)
    {
        if (result.Tokens.Count(static word => word.Value == StandardInput.Word) > 1)
        {
            result.AddError("only one argument may be - (standard input)");
        }
    }
}
