using System.Text.Json;

namespace Larder.Cli;

/// <summary>Writes a value to standard output.</summary>
internal static class ValueOutput
{
    public static async Task<int> WriteAsync(byte[] key, ReadOnlyMemory<byte> value, ValueForm form, CancellationToken cancellation)
    {
        switch (form)
        {
            case ValueForm.Hex:
                return Output.Say(Convert.ToHexStringLower(value.Span));
            case ValueForm.Shown when !Console.IsOutputRedirected:
                return Output.Say(TerminalText.OfValue(value.Span));
        }

        Stream output = Console.OpenStandardOutput();
        await using (output.ConfigureAwait(false))
        {
            if (form == ValueForm.Json)
            {
                Utf8JsonWriter writer = new(output);
                await using (writer.ConfigureAwait(false))
                {
                    writer.WriteStartObject();
                    BytesJson.WriteKey(writer, key);
                    BytesJson.WriteValue(writer, value.Span);
                    writer.WriteEndObject();
                }
            }
            else
            {
                await output.WriteAsync(value, cancellation).ConfigureAwait(false);
            }

            if (form != ValueForm.Raw)
            {
                output.WriteByte((byte)'\n');
            }
        }

        return ExitCode.Done;
    }
}
