using System.Net.Sockets;
using System.Text;
using Larder.Harness.Redis;

namespace Larder.Store.Bench;

/// <summary>A private redis-server on a Unix socket, which receives 100 commands per batch.</summary>
internal sealed class RedisSocket : IDisposable
{
    public const int Pipeline = 100;

    private readonly string _path = Path.Combine(Path.GetTempPath(), $"larder-bench-{Environment.ProcessId}-{Guid.NewGuid():N}.sock");
    private readonly RedisServer _server;
    private readonly Socket _socket = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
    private readonly byte[] _buffer = new byte[1 << 20];

    public RedisSocket()
    {
        _server = new RedisServer("--unixsocket", _path);
        _socket.Connect(new UnixDomainSocketEndPoint(_path));
    }

    public double ResidentMiB => BenchChild.ResidentMiB(_server.Process.Id);

    /// <summary>Encodes a command.</summary>
    public static byte[] Command(params string[] words) =>
        Encoding.ASCII.GetBytes($"*{words.Length}\r\n{string.Concat(words.Select(word => $"${word.Length}\r\n{word}\r\n"))}");

    /// <summary>Encodes a batch of commands.</summary>
    public static byte[] Pipelined(Func<int, byte[]> command) => [.. Enumerable.Range(0, Pipeline).SelectMany(command)];

    /// <summary>Sends commands in one batch and reads their responses: integers or bulk strings.</summary>
    public void Send(ReadOnlySpan<byte> commands, int count)
    {
        for (int sent = 0; sent < commands.Length;)
        {
            sent += _socket.Send(commands[sent..]);
        }

        int held = 0;
        int at = 0;
        for (; count > 0;)
        {
            int end = _buffer.AsSpan(at, held - at).IndexOf((byte)'\n');
            if (end >= 0)
            {
                bool isBulk = _buffer[at] == (byte)'$' && _buffer[at + 1] != (byte)'-';
                int whole = end + 1 + (isBulk ? int.Parse(_buffer.AsSpan(at + 1, end - 2)) + 2 : 0);
                if (_buffer[at] == (byte)'-')
                {
                    throw new InvalidOperationException(Encoding.ASCII.GetString(_buffer.AsSpan(at, end)));
                }

                if (held - at >= whole)
                {
                    at += whole;
                    count--;
                    continue;
                }
            }

            held += _socket.Receive(_buffer.AsSpan(held));
        }
    }

    public void Dispose()
    {
        _socket.Dispose();
        _server.Dispose();
        File.Delete(_path);
    }
}
