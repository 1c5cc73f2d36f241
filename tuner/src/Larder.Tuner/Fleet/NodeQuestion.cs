using System.Globalization;
using System.Net.Sockets;
using System.Text;

namespace Larder.Tuner.Fleet;

/// <summary>One command to a node over a connection of its own: what it answers, as text.</summary>
internal static class NodeQuestion
{
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(2);

    /// <summary>Asks; null where the node does not answer within 2 s.</summary>
    /// <param name="port">Of the loopback.</param>
    /// <param name="password">The engine's; null for none.</param>
    /// <param name="words">The command.</param>
    public static async Task<string?> AskAsync(int port, string? password, params string[] words)
    {
        try
        {
            using var limit = new CancellationTokenSource(s_limit);
            using var client = new TcpClient();
            await client.ConnectAsync("127.0.0.1", port, limit.Token).ConfigureAwait(false);
            await using NetworkStream stream = client.GetStream();
            if (password is not null)
            {
                await SendAsync(stream, ["AUTH", password], limit.Token).ConfigureAwait(false);
                await ReadAsync(stream, limit.Token).ConfigureAwait(false);
            }

            await SendAsync(stream, words, limit.Token).ConfigureAwait(false);
            return await ReadAsync(stream, limit.Token).ConfigureAwait(false);
        }
        catch (Exception gone) when (gone is SocketException or IOException or OperationCanceledException)
        {
            return null;
        }
    }

    private static async Task SendAsync(NetworkStream stream, string[] words, CancellationToken limit)
    {
        string text = string.Concat(words.Select(word => $"${Encoding.UTF8.GetByteCount(word)}\r\n{word}\r\n"));
        await stream.WriteAsync(Encoding.UTF8.GetBytes($"*{words.Length}\r\n{text}"), limit).ConfigureAwait(false);
    }

    // Of an array each item on a line.
    private static async Task<string> ReadAsync(NetworkStream stream, CancellationToken limit)
    {
        string line = await LineAsync(stream, limit).ConfigureAwait(false);
        if (line[0] is not ('$' or '*') || !int.TryParse(line.AsSpan(1), CultureInfo.InvariantCulture, out int count) || count < 0)
        {
            return line[1..];
        }

        if (line[0] == '$')
        {
            byte[] bytes = new byte[count + 2];
            await stream.ReadExactlyAsync(bytes, limit).ConfigureAwait(false);
            return Encoding.UTF8.GetString(bytes, 0, count);
        }

        var items = new List<string>();
        for (int item = 0; item < count; item++)
        {
            items.Add(await ReadAsync(stream, limit).ConfigureAwait(false));
        }

        return string.Join('\n', items);
    }

    private static async Task<string> LineAsync(NetworkStream stream, CancellationToken limit)
    {
        var line = new StringBuilder();
        byte[] one = new byte[1];
        while (true)
        {
            await stream.ReadExactlyAsync(one, limit).ConfigureAwait(false);
            if (one[0] == '\n')
            {
                return line.ToString().TrimEnd('\r');
            }

            line.Append((char)one[0]);
        }
    }
}
