using System.Net;
using System.Net.Sockets;
using System.Text.Json.Nodes;
using Larder.Harness.Agents;
using Larder.Tuner.Processes;

namespace Larder.Lab.Tests.Neighbours;

public sealed class FloodTests
{
    [Theory]
    [InlineData("resets", 1)]
    [InlineData("continuations", 9)]
    [InlineData("settings", 4)]
    [InlineData("pings", 6)]
    public async Task Flooder_sends_frames_and_reconnects_when_dropped(string kind, byte frameType)
    {
        using var server = new TcpListener(IPAddress.Loopback, 0);
        server.Start();
        await using AgentProcess flooder = await AgentProcess.StartAsync(LabAgents.OfNeighbour("flooder"));
        await flooder.RequireAsync(new JsonObject { ["op"] = "open", ["endpoint"] = server.LocalEndpoint.ToString() });
        await flooder.RequireAsync(new JsonObject { ["op"] = "floodBegin", ["kind"] = kind, ["attackers"] = 1 });
        for (int connection = 0; connection < 3; connection++)
        {
            using TcpClient client = await server.AcceptTcpClientAsync();
            byte[] preface = new byte[24 + 9];
            await client.GetStream().ReadExactlyAsync(preface);
            Assert.StartsWith("PRI * HTTP/2.0", System.Text.Encoding.ASCII.GetString(preface), StringComparison.Ordinal);
            var types = new List<byte>();
            while (types.Count < 150)
            {
                types.Add(await ReadFrameTypeAsync(client.GetStream()));
            }

            Assert.Contains(frameType, types);
            Assert.InRange(types.Count(type => type == frameType), 70, 150);
        }

        JsonObject said = await flooder.RequireAsync(new JsonObject { ["op"] = "floodEnd" });
        Assert.InRange((long)said["dropped"]!, 2, 3);
        Assert.InRange((long)said["frames"]!, 200, long.MaxValue);
    }

    private static async Task<byte> ReadFrameTypeAsync(NetworkStream stream)
    {
        byte[] header = new byte[9];
        await stream.ReadExactlyAsync(header);
        await stream.ReadExactlyAsync(new byte[(header[0] << 16) | (header[1] << 8) | header[2]]);
        return header[3];
    }
}
