using System.Net.Sockets;
using System.Text;
using Larder.Harness.Redis;

namespace Larder.Store.Bench;

/// <summary>A private redis-server without persistence, filled over one connection.</summary>
internal sealed class RedisProcess : IDisposable
{
    private const int Batch = 1000;
    private readonly RedisServer _server = new();
    private readonly TcpClient _client;
    private readonly NetworkStream _stream;

    public RedisProcess()
    {
        _client = new TcpClient("127.0.0.1", _server.Port);
        _stream = _client.GetStream();
    }

    public double ResidentMiB => BenchChild.ResidentMiB(_server.Process.Id);

    public void Fill(int entries, int valueBytes, bool withTtl)
    {
        byte[] key = new byte[StoreContender.KeyBytes];
        byte[] value = new byte[valueBytes];
        using var buffer = new MemoryStream();
        byte[] head = Encoding.ASCII.GetBytes(withTtl ? $"*5\r\n$3\r\nSET\r\n${key.Length}\r\n" : $"*3\r\n$3\r\nSET\r\n${key.Length}\r\n");
        byte[] middle = Encoding.ASCII.GetBytes($"\r\n${valueBytes}\r\n");
        byte[] tail = Encoding.ASCII.GetBytes(withTtl ? "\r\n$2\r\nPX\r\n$7\r\n3600000\r\n" : "\r\n");
        byte[] answer = new byte["+OK\r\n".Length * Batch];
        for (int from = 0; from < entries; from += Batch)
        {
            int count = Math.Min(Batch, entries - from);
            buffer.SetLength(0);
            for (int i = from; i < from + count; i++)
            {
                StoreContender.FormatKey(i, key);
                buffer.Write(head);
                buffer.Write(key);
                buffer.Write(middle);
                buffer.Write(value);
                buffer.Write(tail);
            }

            _stream.Write(buffer.GetBuffer().AsSpan(0, (int)buffer.Length));
            _stream.ReadExactly(answer.AsSpan(0, "+OK\r\n".Length * count));
            if (!answer.AsSpan(0, 5).SequenceEqual("+OK\r\n"u8))
            {
                throw new InvalidOperationException("redis-server refused a SET.");
            }
        }
    }

    public void Dispose()
    {
        _client.Dispose();
        _server.Dispose();
    }
}
