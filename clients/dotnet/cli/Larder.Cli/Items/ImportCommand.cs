using System.CommandLine;
using Larder.Client;

namespace Larder.Cli;

/// <summary>The command that stores the items of an export: <c>import [file]</c>.</summary>
internal sealed class ImportCommand(Clients clients)
{
    public Command Create()
    {
        Argument<string> file = new("file")
        {
            Description = "File with JSON Lines from 'export' or 'larder file export'; pass - or omit it to read standard input",
            DefaultValueFactory = static _ => StandardInput.Word,
        };
        Option<TimeSpan?> ttl = new("--ttl-seconds", "--ttl")
        {
            Description = "Time to live in seconds of items without an expiry (default 3600)",
            HelpName = "seconds",
            CustomParser = Number.Seconds,
        };
        ExampleCommand command = new(
            "import",
            "Stores items from JSON objects, one per line; stops at the first invalid line and prints its number",
            "larder import sessions.jsonl --cache sessions",
            "larder file export app.jsonl | larder import -")
        {
            file,
            ttl,
        };
        Connection connection = new(clients);
        connection.AddTo(command);
        command.SetAction((parsed, cancellation) => connection.RunAsync(
            parsed,
            (_, cache) => RunAsync(parsed.GetValue(file)!, new Importer(cache, parsed.GetValue(ttl), TimeProvider.System), cancellation),
            Transport.Pipeline));
        return command;
    }

    private static async Task<int> RunAsync(string file, Importer importer, CancellationToken cancellation)
    {
        Stream input;
        try
        {
            input = file == StandardInput.Word ? Console.OpenStandardInput() : File.OpenRead(file);
        }
        catch (Exception unread) when (unread is IOException or UnauthorizedAccessException)
        {
            return Output.Refuse([unread.Message]);
        }

        await using (input.ConfigureAwait(false))
        {
            string? fault = await importer.RunAsync(input, cancellation).ConfigureAwait(false);
            string expired = importer.Expired == 0 ? "" : $", skipped (expired): {Figure.Whole(importer.Expired)}";
            string done = $"items imported: {Figure.Whole(importer.Stored)}{expired}";
            if (cancellation.IsCancellationRequested)
            {
                _ = Output.Fail($"interrupted; {done}");
                return ExitCode.Interrupted;
            }

            return fault is null ? Output.Say(done) : Output.Fail($"{fault}; {done}");
        }
    }
}
