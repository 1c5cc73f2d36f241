using System.Text;
using System.Text.Json;
using Larder.Client;

namespace Larder.Cli;

/// <summary>Formats a subscription's events as lines.</summary>
/// <param name="asJson">
/// Whether each event is written as a JSON object. If false, only messages are written, and characters that a terminal could interpret are escaped.
/// </param>
/// <param name="count">The maximum number of messages.</param>
internal sealed class TopicLines(bool asJson, long count)
{
    /// <summary>Writes the events as they arrive. Unless the output is JSON, gaps and heartbeats are written to standard error.</summary>
    /// <returns>The exit code.</returns>
    /// <exception cref="OperationCanceledException">Ctrl+C was pressed.</exception>
    public async Task<int> WriteAsync(TopicSubscription subscription, Stream output, CancellationToken cancellation)
    {
        long left = count;
        await foreach (TopicEvent told in subscription.WithCancellation(cancellation).ConfigureAwait(false))
        {
            if (told is TopicEvent.Error error)
            {
                return Output.Fail(error.Failure);
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
            // The output is flushed after each event, so that the event is visible immediately.
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
        ? $"gap: messages after {gap.Last} are missing; the next message is {gap.Next} of page {gap.Page}"
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
