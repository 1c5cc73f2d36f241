using System.CommandLine;
using Larder.Client;
using Spectre.Console;

namespace Larder.Cli;

/// <summary>The command on caches: <c>caches [list|create|delete|flush] [name]</c>.</summary>
internal sealed class CacheCommands(Clients clients)
{
    public Command List()
    {
        Command caches = Listing("caches", "Lists, creates, deletes or flushes caches; without a subcommand, lists them", "larder caches");
        caches.Add(Listing("list", "Lists the caches", "larder caches list"));
        caches.Add(
            Named(
                "create",
                "Creates a cache",
                async (client, name, cancellation) => (await client.CreateCacheAsync(name, cancellation).ConfigureAwait(false)).Error));
        caches.Add(
            Named(
                "delete",
                "Deletes a cache and its items",
                async (client, name, cancellation) => (await client.DeleteCacheAsync(name, cancellation).ConfigureAwait(false)).Error));
        caches.Add(
            Named(
                "flush",
                "Deletes all items of a cache",
                async (client, name, cancellation) => (await client.FlushCacheAsync(name, cancellation).ConfigureAwait(false)).Error));
        return caches;
    }

    private ExampleCommand Listing(string verb, string description, string example)
    {
        ExampleCommand command = new(verb, description, example);
        Connection connection = new(clients);
        connection.AddTo(command, withCache: false);
        command.SetAction((parsed, cancellation) => connection.RunAsync(parsed, (client, _) => ListAsync(client, cancellation)));
        return command;
    }

    private ExampleCommand Named(string verb, string description, Func<CacheClient, string, CancellationToken, Task<CacheError?>> work)
    {
        Argument<string> name = new("name") { Description = "The cache's name" };
        ExampleCommand command = new(verb, description, $"larder caches {verb} sessions") { name };
        Connection connection = new(clients);
        connection.AddTo(command, withCache: false);
        command.SetAction((parsed, cancellation) => connection.RunAsync(parsed, async (client, _) =>
            await work(client, parsed.GetValue(name)!, cancellation).ConfigureAwait(false) is { } failure ? Output.Fail(failure) : Output.Say("done")));
        return command;
    }

    private static async Task<int> ListAsync(CacheClient client, CancellationToken cancellation)
    {
        CacheResult<IReadOnlyList<CacheInfo>> answer = await client.ListCachesAsync(cancellation).ConfigureAwait(false);
        if (!answer.IsSuccess)
        {
            return Output.Fail(answer.Error!);
        }

        Table table = new() { Border = TableBorder.Simple };
        table.AddColumns("cache", "largest item", "maximum time to live");
        foreach (CacheInfo cache in answer.Value.OrderBy(static cache => cache.Name, StringComparer.Ordinal))
        {
            table.AddRow(
                Markup.Escape(TerminalText.OfText(cache.Name)),
                Figure.Bytes(cache.MaxItemSizeKb * 1024.0),
                Figure.Time(cache.MaxTtl.TotalSeconds));
        }

        AnsiConsole.Write(table);
        return ExitCode.Done;
    }
}
