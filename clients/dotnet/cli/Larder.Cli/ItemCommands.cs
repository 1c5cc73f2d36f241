using System.CommandLine;
using System.Globalization;
using Larder.Client;

namespace Larder.Cli;

/// <summary>The commands on one item: get, set, delete, increment, ttl.</summary>
internal static class ItemCommands
{
    public static IEnumerable<Command> All() => [Get(), Set(), Delete(), Increment(), Ttl()];

    private static Command Get()
    {
        Argument<string> key = Key();
        return Command(
            "get",
            "Prints an item's value",
            [key],
            [],
            (parsed, client, cache, cancellation) => GetAsync(client, cache, parsed.GetValue(key)!, cancellation));
    }

    private static Command Set()
    {
        Argument<string> key = Key();
        Argument<string> value = new("value") { Description = "The value" };
        Option<TimeSpan?> ttl = new("--ttl-seconds", "--ttl")
        {
            Description = "Time to live in seconds (default 3600)",
            HelpName = "seconds",
            CustomParser = Number.Seconds,
        };
        return Command(
            "set",
            "Stores a value",
            [key, value],
            [ttl],
            async (parsed, client, cache, cancellation) =>
            {
                SetResponse answer = await client
                    .SetAsync(cache, parsed.GetValue(key)!, parsed.GetValue(value)!, parsed.GetValue(ttl), cancellation)
                    .ConfigureAwait(false);
                return answer is SetResponse.Error error ? Output.Fail(error) : Output.Say("stored");
            });
    }

    private static Command Delete()
    {
        Argument<string> key = Key();
        return Command(
            "delete",
            "Removes an item, whether it exists or not",
            [key],
            [],
            async (parsed, client, cache, cancellation) =>
                await client.DeleteAsync(cache, parsed.GetValue(key)!, cancellation).ConfigureAwait(false) is DeleteResponse.Error error
                    ? Output.Fail(error)
                    : Output.Say("gone"));
    }

    private static Command Increment()
    {
        Argument<string> key = Key();
        Argument<long> amount = new("amount") { Description = "What is added; may be negative", DefaultValueFactory = _ => 1, CustomParser = Number.Whole };
        return Command("increment", "Adds to an integer item and prints it", [key, amount], [], async (parsed, client, cache, cancellation) =>
            await client.IncrementAsync(cache, parsed.GetValue(key)!, parsed.GetValue(amount), cancellationToken: cancellation).ConfigureAwait(false) switch
            {
                IncrementResponse.Success success => Output.Say(success.Value.ToString(CultureInfo.InvariantCulture)),
                IncrementResponse.Error error => Output.Fail(error),
                _ => ExitCode.Failed,
            });
    }

    private static Command Ttl()
    {
        Argument<string> key = Key();
        Argument<TimeSpan?> seconds = new("seconds")
        {
            Description = "A new time to live; left out: prints what is left",
            DefaultValueFactory = _ => null,
            CustomParser = Number.Seconds,
        };
        return Command(
            "ttl",
            "Prints or changes an item's time to live, in seconds",
            [key, seconds],
            [],
            (parsed, client, cache, cancellation) =>
            parsed.GetValue(seconds) is { } ttl
                ? UpdateTtlAsync(client, cache, parsed.GetValue(key)!, ttl, cancellation)
                : PrintTtlAsync(client, cache, parsed.GetValue(key)!, cancellation));
    }

    private static async Task<int> GetAsync(CacheClient client, string cache, string key, CancellationToken cancellation)
    {
        switch (await client.GetAsync(cache, key, cancellation).ConfigureAwait(false))
        {
            case GetResponse.Hit hit:
                // The bytes themselves: the value need not be text.
                using (Stream output = Console.OpenStandardOutput())
                {
                    await output.WriteAsync(hit.Value, cancellation).ConfigureAwait(false);
                }

                Console.Out.WriteLine();
                return ExitCode.Done;
            case GetResponse.Error error:
                return Output.Fail(error);
            default:
                return Output.Missing();
        }
    }

    private static async Task<int> PrintTtlAsync(CacheClient client, string cache, string key, CancellationToken cancellation) =>
        await client.ItemGetTtlAsync(cache, key, cancellation).ConfigureAwait(false) switch
        {
            ItemGetTtlResponse.Found found => Output.Say(found.RemainingTtl.TotalSeconds.ToString("0.### s", CultureInfo.InvariantCulture)),
            ItemGetTtlResponse.Error error => Output.Fail(error),
            _ => Output.Missing(),
        };

    private static async Task<int> UpdateTtlAsync(CacheClient client, string cache, string key, TimeSpan ttl, CancellationToken cancellation) =>
        await client.UpdateTtlAsync(cache, key, ttl, cancellation).ConfigureAwait(false) switch
        {
            UpdateTtlResponse.Set => Output.Say("set"),
            UpdateTtlResponse.Error error => Output.Fail(error),
            _ => Output.Missing(),
        };

    private static Argument<string> Key() => new("key") { Description = "The item's key" };

    private static Command Command(
        string name,
        string description,
        Argument[] arguments,
        Option[] options,
        Func<ParseResult, CacheClient, string, CancellationToken, Task<int>> work)
    {
        Command command = new(name, description);
        Array.ForEach(arguments, command.Add);
        Array.ForEach(options, command.Add);
        Connection connection = new();
        connection.AddTo(command);
        command.SetAction((parsed, cancellation) => connection.RunAsync(parsed, (client, cache) => work(parsed, client, cache, cancellation)));
        return command;
    }
}
