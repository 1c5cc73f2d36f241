using System.CommandLine;
using System.Globalization;
using Larder.Client;

namespace Larder.Cli;

/// <summary>The commands on one item: get, set, delete, increment, ttl, expire, type.</summary>
internal sealed class ItemCommands(Clients clients)
{
    public ExampleCommand Get()
    {
        ValueFormOptions form = new();
        KeyArgument key = new();
        ExampleCommand command = new(
            "get",
            "Prints an item's value",
            "larder get greeting",
            "larder get picture --raw > picture.png",
            "larder get greeting --json");
        form.AddTo(command);
        return Build(command, key, (parsed, call) => GetAsync(call, key.BytesOf(parsed), form.Of(parsed)));
    }

    public ExampleCommand Set()
    {
        KeyArgument key = new();
        Argument<string?> value = ByteArguments.Value();
        Option<bool> hex = new("--hex") { Description = "The value is hexadecimal" };
        Option<TimeSpan?> ttl = new("--ttl-seconds", "--ttl")
        {
            Description = "Time to live in seconds (default 3600)",
            HelpName = "seconds",
            CustomParser = Number.Seconds,
        };
        ExampleCommand command = new(
            "set",
            "Stores a value; for sets of elements, see 'larder sets'",
            "larder set greeting hello --ttl 90",
            "larder set picture - < picture.png",
            "larder set flag -- --verbose");
        Build(command, key, async (parsed, call) =>
        {
            CacheBytes bytes = await ByteArguments.ReadValueAsync(parsed.GetValue(value), parsed.GetValue(hex), call.Cancellation).ConfigureAwait(false);
            CacheResult answer = await call.Cache
                .SetAsync(key.Of(parsed), bytes, parsed.GetValue(ttl), call.Cancellation)
                .ConfigureAwait(false);
            return answer is { Error: { } error } ? Output.Fail(error) : Output.Say("stored");
        });
        command.Add(value);
        command.Add(hex);
        command.Add(ttl);
        return command;
    }

    public ExampleCommand Delete()
    {
        KeyArgument key = new();
        return Build(new("delete", "Removes an item; succeeds even if it does not exist", "larder delete greeting"), key, async (parsed, call) =>
            await call.Cache.DeleteAsync(key.Of(parsed), call.Cancellation).ConfigureAwait(false) is { Error: { } error }
                ? Output.Fail(error)
                : Output.Say("gone"));
    }

    public ExampleCommand Increment()
    {
        KeyArgument key = new();
        Argument<long> amount = new("amount") { Description = "The amount to add; may be negative", DefaultValueFactory = _ => 1, CustomParser = Number.Whole };
        ExampleCommand command = Build(
            new("increment", "Adds an amount to an integer item and prints the new value", "larder increment visits", "larder increment stock -4"),
            key,
            async (parsed, call) =>
            await call.Cache.IncrementAsync(key.Of(parsed), parsed.GetValue(amount), cancellationToken: call.Cancellation)
                .ConfigureAwait(false) switch
            {
                { IsSuccess: true } success => Output.Say(success.Value.ToString(CultureInfo.InvariantCulture)),
                { Error: { } error } => Output.Fail(error),
                _ => ExitCode.Failed,
            });
        command.Add(amount);
        return command;
    }

    public ExampleCommand Ttl()
    {
        KeyArgument key = new();
        Argument<TimeSpan?> seconds = new("seconds")
        {
            Description = "New time to live in seconds; if omitted, the command prints the remaining time",
            DefaultValueFactory = _ => null,
            CustomParser = Number.Seconds,
        };
        ExampleCommand command = Build(
            new("ttl", "Prints or changes an item's time to live, in seconds", "larder ttl greeting", "larder ttl greeting 3600"),
            key,
            (parsed, call) => parsed.GetValue(seconds) is { } ttl ? UpdateTtlAsync(call, key.Of(parsed), ttl) : PrintTtlAsync(call, key.Of(parsed)));
        command.Add(seconds);
        return command;
    }

    public ExampleCommand Expire()
    {
        KeyArgument key = new();
        Argument<TimeSpan?> seconds = new("seconds")
        {
            Description = "The new time to live in seconds, from now",
            Arity = ArgumentArity.ExactlyOne,
            CustomParser = Number.Seconds,
        };
        ExampleCommand command = Build(
            new("expire", "Changes an item's time to live", "larder expire greeting 60"),
            key,
            (parsed, call) => UpdateTtlAsync(call, key.Of(parsed), parsed.GetValue(seconds)!.Value));
        command.Add(seconds);
        return command;
    }

    public ExampleCommand ItemType()
    {
        KeyArgument key = new();
        return Build(new("type", "Prints an item's type: scalar, dictionary, set, list or sorted-set", "larder type greeting"), key, async (parsed, call) =>
            await call.Cache.ItemGetTypeAsync(key.Of(parsed), call.Cancellation).ConfigureAwait(false) switch
            {
                { IsHit: true } found => Output.Say(TypeName.Of(found.Value)),
                { Error: { } error } => Output.Fail(error),
                _ => Output.Missing(),
            });
    }

    private static async Task<int> GetAsync(ItemCall call, byte[] key, ValueForm form) =>
        await call.Cache.GetAsync(key, call.Cancellation).ConfigureAwait(false) switch
        {
            { IsHit: true } hit => await ValueOutput.WriteAsync(key, hit.Value.Memory, form, call.Cancellation).ConfigureAwait(false),
            { Error: { } error } => Output.Fail(error),
            _ => Output.Missing(),
        };

    private static async Task<int> PrintTtlAsync(ItemCall call, CacheBytes key) =>
        await call.Cache.ItemGetTtlAsync(key, call.Cancellation).ConfigureAwait(false) switch
        {
            { IsHit: true } found => Output.Say(found.Value.TotalSeconds.ToString("0.### s", CultureInfo.InvariantCulture)),
            { Error: { } error } => Output.Fail(error),
            _ => Output.Missing(),
        };

    private static async Task<int> UpdateTtlAsync(ItemCall call, CacheBytes key, TimeSpan ttl) =>
        await call.Cache.UpdateTtlAsync(key, ttl, call.Cancellation).ConfigureAwait(false) switch
        {
            { IsHit: true, Value: true } => Output.Say("set"),
            { Error: { } error } => Output.Fail(error),
            _ => Output.Missing(),
        };

    private ExampleCommand Build(ExampleCommand command, KeyArgument key, Func<ParseResult, ItemCall, Task<int>> work)
    {
        key.AddTo(command);
        Connection connection = new(clients);
        connection.AddTo(command);
        command.SetAction((parsed, cancellation) =>
            connection.RunAsync(parsed, (_, cache) => work(parsed, new ItemCall(cache, cancellation))));
        return command;
    }
}
