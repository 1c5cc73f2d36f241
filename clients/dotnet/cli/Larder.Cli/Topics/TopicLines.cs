using System.Text;
using System.Text.Json;
using Larder.Client;

namespace Larder.Cli;

/// <summary>A subscription's events as lines.</summary>
/// <param name="asJson">Whether each event is an object of JSON; otherwise messages alone are written, what a terminal could obey as an escape.</param>
/// <param name="count">Messages at most.</param>
internal sealed class TopicLines(bool asJson, long count)
{
    /// <summary>Writes them as they come; gaps, and heartbeats that were asked for, on standard error unless they are JSON.</summary>
    /// <returns>The exit code.</returns>
    /// <exception cref="OperationCanceledException">Ctrl+C.</exception>
    public async Task<int> WriteAsync(TopicSubscription subscription, Stream output, CancellationToken cancellation)
    {
        long left = count;
        await foreach (TopicEvent told in subscription.WithCancellation(cancellation).ConfigureAwait(false))
        {
            if (told is TopicEvent.Error error)
            {
                return Output.Fail(error);
            }

            if (asJson)
            {
                WriteJson(output, told);
            }
            else if (told is TopicEvent.Item item)
            {
                output.Write(Encoding.UTF8.GetBytes(TerminalText.OfKey(item.Value.Span)));
            }
            else
            {
                await Console.Error.WriteLineAsync(InWords(told)).ConfigureAwait(false);
                continue;
            }

            output.WriteByte((byte)'\n');
            // Each is shown as it comes.
            await output.FlushAsync(cancellation).ConfigureAwait(false);
            if (told is TopicEvent.Item && --left == 0)
            {
                return ExitCode.Done;
            }
        }

        cancellation.ThrowIfCancellationRequested();
        return ExitCode.Done;
    }

    private static string InWords(TopicEvent told) => told is TopicEvent.Discontinuity gap
        ? $"gap: after message {gap.Last} comes {gap.Next} of page {gap.Page}"
        : "heartbeat";

    private static void WriteJson(Stream output, TopicEvent told)
    {
        using Utf8JsonWriter writer = new(output);
        writer.WriteStartObject();
        switch (told)
        {
            case TopicEvent.Item item:
                writer.WriteString("event"u8, "item"u8);
                writer.WriteNumber("number"u8, item.Number);
                writer.WriteNumber("page"u8, item.Page);
                BytesJson.WriteValue(writer, item.Value.Span);
                if (item.PublisherId.Length > 0)
                {
                    writer.WriteString("publisher"u8, item.PublisherId);
                }

                break;
            case TopicEvent.Discontinuity gap:
                writer.WriteString("event"u8, "discontinuity"u8);
                writer.WriteNumber("last"u8, gap.Last);
                writer.WriteNumber("next"u8, gap.Next);
                writer.WriteNumber("page"u8, gap.Page);
                break;
            default:
                writer.WriteString("event"u8, "heartbeat"u8);
                break;
        }

        writer.WriteEndObject();
    }
}
