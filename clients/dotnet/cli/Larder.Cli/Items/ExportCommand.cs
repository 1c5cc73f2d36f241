using System.CommandLine;
using Larder.Client;

namespace Larder.Cli;

/// <summary>The command that writes items to a file that <c>import</c> can read: <c>export [file]</c>.</summary>
internal sealed class ExportCommand(Clients clients)
{
    public Command Create()
    {
        KeySelection selection = new();
        Argument<string> file = new("file")
        {
            Description = "New file for the JSON Lines; if it is - or missing, standard output",
            DefaultValueFactory = static _ => StandardInput.Word,
        };
        ExampleCommand command = new(
            "export",
            "Writes the items of a cache with their expiry, one JSON object per line, and their number to standard error",
            "larder export sessions.jsonl --cache sessions",
            "larder export --prefix user: | larder import --server other:8080")
        {
            file,
        };
        selection.AddTo(command, withType: false);
        Connection connection = new(clients);
        connection.AddTo(command);
        command.SetAction((parsed, cancellation) => connection.RunAsync(
            parsed,
            (_, cache) => RunAsync(selection, parsed, parsed.GetValue(file)!, cache, cancellation),
            Transport.Pipeline));
        return command;
    }

    private static async Task<int> RunAsync(
        KeySelection selection,
        ParseResult parsed,
        string file,
        Cache cache,
        CancellationToken cancellation)
    {
        Stream output;
        try
        {
            output = file == StandardInput.Word ? ResultStream.Open() : new FileStream(file, FileMode.CreateNew, FileAccess.Write);
        }
        catch (Exception unwritten) when (unwritten is IOException or UnauthorizedAccessException)
        {
            return Output.Refuse([unwritten.Message]);
        }

        await using (output.ConfigureAwait(false))
        {
            Exporter exporter = new(cache, output, TimeProvider.System);
            try
            {
                CacheError? failure =
                    await selection.ReadAsync(parsed, cache, keys => exporter.WriteAsync(keys, cancellation), cancellation).ConfigureAwait(false);
                string others = exporter.LeftOut == 0 ? "" : $", {Figure.Whole(exporter.LeftOut)} skipped because they are collections";
                Console.Error.WriteLine($"{Figure.Whole(exporter.Written)} exported{others}");
                return failure is null ? ExitCode.Done : Output.Fail(failure);
            }
            catch (OperationCanceledException)
            {
                _ = Output.Fail($"interrupted; {Figure.Whole(exporter.Written)} exported; the output is incomplete");
                return ExitCode.Interrupted;
            }
            catch (IOException closed) when (ResultStream.IsClosed(closed))
            {
                // The reader has closed the pipe, which is not an error.
                return ExitCode.Done;
            }
            catch (IOException unwritten)
            {
                return Output.Fail($"{unwritten.Message}; {Figure.Whole(exporter.Written)} exported");
            }
        }
    }
}
