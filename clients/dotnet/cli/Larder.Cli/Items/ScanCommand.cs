using System.CommandLine;
using System.Text;
using System.Text.Json;
using Larder.Client;

namespace Larder.Cli;

/// <summary>The command that prints the keys of a cache.</summary>
internal sealed class ScanCommand(Clients clients)
{
    public Command Create()
    {
        KeySelection selection = new();
        Option<bool> count = new("--count") { Description = "Print only the number of keys" };
        Option<bool> json = new("--json") { Description = "Print one JSON object per line: key or keyBase64, type, ttlMs, bytes" };
        ExampleCommand command = new(
            "scan",
            "Prints the keys of a cache, one per line, in no particular order; control characters are escaped",
            "larder scan --prefix user: | head",
            "larder scan --prefix user: --count",
            "larder scan --json --cache sessions");
        selection.AddTo(command);
        command.Add(count);
        command.Add(json);
        command.Validators.Add(result =>
        {
            if (result.GetValue(count) && result.GetValue(json))
            {
                result.AddError("--count and --json cannot be combined");
            }
        });
        Connection connection = new(clients);
        connection.AddTo(command);
        command.SetAction((parsed, cancellation) => connection.RunAsync(
            parsed,
            (_, cache) => parsed.GetValue(count)
                ? CountAsync(selection, parsed, cache, cancellation)
                : PrintAsync(selection, parsed, cache, parsed.GetValue(json), cancellation)));
        return command;
    }

    private static async Task<int> CountAsync(
        KeySelection selection,
        ParseResult parsed,
        Cache cache,
        CancellationToken cancellation)
    {
        long met = 0;
        CacheError? failure = await selection.ReadAsync(parsed, cache, Count, cancellation).ConfigureAwait(false);
        return failure is null ? Output.Say(met.ToString(System.Globalization.CultureInfo.InvariantCulture)) : Output.Fail(failure);

        ValueTask<CacheError?> Count(IReadOnlyList<ScannedKey> keys)
        {
            met += keys.Count;
            return default;
        }
    }

    private static Task<int> PrintAsync(
        KeySelection selection,
        ParseResult parsed,
        Cache cache,
        bool isJson,
        CancellationToken cancellation) => ResultStream.WriteAsync(async output =>
    {
        CacheError? failure = await selection.ReadAsync(parsed, cache, Print, cancellation).ConfigureAwait(false);
        return failure is null ? ExitCode.Done : Output.Fail(failure);

        // The output is flushed after each page, so that keys appear as early as possible.
        async ValueTask<CacheError?> Print(IReadOnlyList<ScannedKey> keys)
        {
            foreach (ScannedKey key in keys)
            {
                if (isJson)
                {
                    WriteJson(output, key);
                }
                else
                {
                    output.Write(Encoding.UTF8.GetBytes(TerminalText.OfKey(key.Key.Span)));
                }

                output.WriteByte((byte)'\n');
            }

            await output.FlushAsync(cancellation).ConfigureAwait(false);
            return null;
        }
    });

    private static void WriteJson(Stream output, ScannedKey key)
    {
        using Utf8JsonWriter writer = new(output);
        writer.WriteStartObject();
        BytesJson.WriteKey(writer, key.Key.Span);
        writer.WriteString("type"u8, TypeName.Of(key.Type));
        writer.WriteNumber("ttlMs"u8, (long)key.RemainingTtl.TotalMilliseconds);
        writer.WriteNumber("bytes"u8, key.SizeBytes);
        writer.WriteEndObject();
    }
}
