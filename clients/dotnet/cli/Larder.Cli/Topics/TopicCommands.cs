using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using Larder.Client;

namespace Larder.Cli;

/// <summary>The commands on topics: publish and subscribe.</summary>
internal sealed class TopicCommands(Clients clients)
{
    private const string Newest = "newest";
    private const string Now = "now";

    public ExampleCommand Publish()
    {
        Argument<string> topic = Topic();
        Argument<string?> value = ByteArguments.Value();
        Option<bool> hex = new("--hex") { Description = "The value is hexadecimal" };
        ExampleCommand command = new(
            "publish",
            "Publishes a message to the subscribers of a topic; an argument is sent as text, and piped or hexadecimal input as bytes",
            "larder publish orders hello",
            "larder publish pictures - < picture.png")
        {
            topic,
            value,
            hex,
        };
        Connection connection = Connect(command);
        command.SetAction((parsed, cancellation) => connection.RunAsync(parsed, async (_, cache) =>
        {
            CacheBytes bytes = await ByteArguments.ReadValueAsync(parsed.GetValue(value), parsed.GetValue(hex), cancellation).ConfigureAwait(false);
            return await cache.PublishAsync(parsed.GetValue(topic)!, bytes, cancellation).ConfigureAwait(false) is { Error: { } error }
                ? Output.Fail(error)
                : Output.Say("published");
        }));
        return command;
    }

    public ExampleCommand Subscribe()
    {
        Argument<string> topic = Topic();
        Option<string> from = new("--from")
        {
            Description = $"Start position: {Newest} (the newest retained message), {Now} (only messages published later), or a message number",
            HelpName = $"{Newest}|{Now}|number",
            DefaultValueFactory = static _ => Newest,
        };
        Option<ulong> page = new("--page")
        {
            Description = "Page that the message number in --from belongs to (default 0: the current page)",
            CustomParser = Unsigned,
        };
        Option<long?> count = new("--count")
        {
            Description = "Maximum number of messages to print (default: unlimited, until Ctrl+C)",
            CustomParser = static result => Number.Count(result),
        };
        Option<bool> json = new("--json") { Description = "Print one JSON object per event, with the field value, or base64 if the value is not text" };
        Option<bool> heartbeats = new("--heartbeats") { Description = "Also print heartbeats of the server" };
        ExampleCommand command = new(
            "subscribe",
            "Subscribes to a topic: prints its messages as they arrive, one per line; missed messages are reported on standard error",
            "larder subscribe orders",
            "larder subscribe orders --from now --json",
            "larder subscribe orders --from 17 --count 1")
        {
            topic,
            from,
            page,
            count,
            json,
            heartbeats,
        };
        Connection connection = Connect(command);
        command.SetAction((parsed, cancellation) => connection.RunAsync(parsed, (_, cache) =>
        {
            SubscribeOptions options = StartOf(parsed.GetValue(from)!) with { Page = parsed.GetValue(page), Heartbeats = parsed.GetValue(heartbeats) };
            TopicLines lines = new(parsed.GetValue(json), parsed.GetValue(count) ?? long.MaxValue);
            return ResultStream.WriteAsync(output => lines.WriteAsync(cache.Subscribe(parsed.GetValue(topic)!, options), output, cancellation));
        }));
        return command;
    }

    private static Argument<string> Topic() => new("topic") { Description = "The topic" };

    private static SubscribeOptions StartOf(string word) => word switch
    {
        Newest => new SubscribeOptions(),
        Now => new SubscribeOptions { From = TopicStart.Now },
        _ when TryUnsigned(word, out ulong number) && number > 0 => new SubscribeOptions { ResumeAt = number },
        _ => throw new ArgumentException($"--from must be {Newest}, {Now} or a message number, but is '{TerminalText.OfText(word)}'"),
    };

    private static ulong Unsigned(ArgumentResult result)
    {
        string word = result.Tokens[0].Value;
        if (!TryUnsigned(word, out ulong number))
        {
            result.AddError($"--page must be a whole number from 0 to {ulong.MaxValue}, but is '{TerminalText.OfText(word)}'");
        }

        return number;
    }

    private static bool TryUnsigned(string word, out ulong number) => ulong.TryParse(word, NumberStyles.None, CultureInfo.InvariantCulture, out number);

    private Connection Connect(Command command)
    {
        Connection connection = new(clients);
        connection.AddTo(command);
        return connection;
    }
}
