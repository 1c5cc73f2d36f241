using System.Globalization;
using System.Net.Sockets;
using System.Text;

namespace Larder.Harness.Redis;

/// <summary>Sends one command to a Redis server over a new connection and returns the answer as text.</summary>
internal static class RedisQuery
{
    /// <summary>Sends the command. Returns null if the server does not answer in time.</summary>
    /// <param name="port">The loopback port of the server.</param>
    /// <param name="password">The password of the server; null if it has none.</param>
    /// <param name="patience">The timeout.</param>
    /// <param name="words">The command and its arguments.</param>
    /// <param name="times">The number of times that the command is sent. The last answer is returned.</param>
    public static async Task<string?> AskAsync(int port, string? password, TimeSpan patience, string[] words, int times = 1)
    {
        try
        {
            using var limit = new CancellationTokenSource(patience);
            using var client = new TcpClient();
            await client.ConnectAsync("127.0.0.1", port, limit.Token).ConfigureAwait(false);
            NetworkStream stream = client.GetStream();
            if (password is not null)
            {
                await SendAsync(stream, ["AUTH", password], limit.Token).ConfigureAwait(false);
                await ReadAsync(stream, limit.Token).ConfigureAwait(false);
            }

            string answer = "";
            for (; times > 0; times--)
            {
                await SendAsync(stream, words, limit.Token).ConfigureAwait(false);
                answer = await ReadAsync(stream, limit.Token).ConfigureAwait(false);
            }

            return answer.TrimEnd();
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

    // Returns the text of an answer. For an array, the text has one line per item, as in redis-cli. For a missing value, it is empty.
    private static async Task<string> ReadAsync(NetworkStream stream, CancellationToken limit)
    {
        string line = await LineAsync(stream, limit).ConfigureAwait(false);
        if (line[0] is not ('$' or '*'))
        {
            return line[1..];
        }

        int count = int.Parse(line.AsSpan(1), CultureInfo.InvariantCulture);
        if (line[0] == '$')
        {
            byte[] bytes = new byte[count < 0 ? 0 : count + 2];
            await stream.ReadExactlyAsync(bytes, limit).ConfigureAwait(false);
            return Encoding.UTF8.GetString(bytes, 0, Math.Max(0, count));
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
