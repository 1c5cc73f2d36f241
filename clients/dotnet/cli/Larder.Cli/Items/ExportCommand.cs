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
            Description = "File to create, in JSON Lines format; pass - or omit it to write to standard output",
            DefaultValueFactory = static _ => StandardInput.Word,
        };
        ExampleCommand command = new(
            "export",
            "Writes the items of a cache with their expiry, one JSON object per line; prints the number of items to standard error",
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
                string others = exporter.LeftOut == 0 ? "" : $", skipped (collections): {Figure.Whole(exporter.LeftOut)}";
                Console.Error.WriteLine($"items exported: {Figure.Whole(exporter.Written)}{others}");
                return failure is null ? ExitCode.Done : Output.Fail(failure);
            }
            catch (OperationCanceledException)
            {
                _ = Output.Fail($"interrupted; the output is incomplete; items exported: {Figure.Whole(exporter.Written)}");
                return ExitCode.Interrupted;
            }
            catch (IOException closed) when (ResultStream.IsClosed(closed))
            {
                // The reader has closed the pipe, which is not an error.
                return ExitCode.Done;
            }
            catch (IOException unwritten)
            {
                return Output.Fail($"cannot write the output: {unwritten.Message} Items exported: {Figure.Whole(exporter.Written)}");
            }
        }
    }
}
