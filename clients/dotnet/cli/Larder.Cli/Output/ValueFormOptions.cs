using System.CommandLine;

namespace Larder.Cli;

/// <summary>The options for how a value is written. At most one of them may be given.</summary>
/// <param name="raw">The description of <c>--raw</c>.</param>
/// <param name="hex">The description of <c>--hex</c>.</param>
/// <param name="json">The description of <c>--json</c>.</param>
internal sealed class ValueFormOptions(
    string raw = "The value's bytes and nothing else, also on a terminal",
    string hex = "The value in hexadecimal",
    string json = "One JSON object: key and value, or keyBase64 and base64 where they are no text")
{
    private readonly Option<bool> _raw = new("--raw") { Description = raw };
    private readonly Option<bool> _hex = new("--hex") { Description = hex };
    private readonly Option<bool> _json = new("--json") { Description = json };

    public void AddTo(Command command)
    {
        command.Add(_raw);
        command.Add(_hex);
        command.Add(_json);
        command.Validators.Add(result =>
        {
            if (((Option<bool>[])[_raw, _hex, _json]).Count(result.GetValue) > 1)
            {
                result.AddError("--raw, --hex and --json exclude each other");
            }
        });
    }

    public ValueForm Of(ParseResult parsed) =>
        parsed.GetValue(_raw) ? ValueForm.Raw : parsed.GetValue(_hex) ? ValueForm.Hex : parsed.GetValue(_json) ? ValueForm.Json : ValueForm.Shown;
}
