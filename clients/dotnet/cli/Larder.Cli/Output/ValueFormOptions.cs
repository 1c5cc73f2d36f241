using System.CommandLine;

namespace Larder.Cli;

/// <summary>The options for the form in which a value is written. At most one of these options may be given.</summary>
/// <param name="raw">The description of <c>--raw</c>.</param>
/// <param name="hex">The description of <c>--hex</c>.</param>
/// <param name="json">The description of <c>--json</c>.</param>
internal sealed class ValueFormOptions(
    string raw = "Print only the bytes of the value, even on a terminal",
    string hex = "Print the value in hexadecimal",
    string json = "Print one JSON object: key (keyBase64 if it is not text) and value (base64 if it is not text)")
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
                result.AddError("--raw, --hex and --json cannot be combined");
            }
        });
    }

    public ValueForm Of(ParseResult parsed) =>
        parsed.GetValue(_raw) ? ValueForm.Raw : parsed.GetValue(_hex) ? ValueForm.Hex : parsed.GetValue(_json) ? ValueForm.Json : ValueForm.Shown;
}
