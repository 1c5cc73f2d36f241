using Larder.Harness.Redis;
using Larder.Harness.Servers;
using Larder.Server.Tests.Faults;
using Larder.Wire;

namespace Larder.Server.Tests.Fleet.Topics;

/// <summary>
/// Causes random faults on two gateways in front of one server while three publishers and thirty subscribers run. Checks the order and the sequence numbers of
/// the messages.
/// </summary>
public sealed class TopicRandomFaultTests
{
    private const int KindsOfFaults = 5;

    [Fact]
    public Task S5l_random_faults_cause_no_unreported_loss_duplicate_or_reordering() => FaultsAsync(seed: 1, steps: KindsOfFaults);

    [LongFact]
    public Task S5l_random_faults_cause_no_unreported_loss_in_long_run() => FaultsAsync(seed: 7, steps: 60);

    private static async Task FaultsAsync(int seed, int steps)
    {
        using RedisServer redis = new();
        ServerProcess[] gateways = [await ServerProcess.StartAsync("--store", redis.Url), await ServerProcess.StartAsync("--store", redis.Url)];
        RpcChannel[] channels = [.. gateways.Select(static gateway => StallTolerantChannel.To(gateway.Endpoint))];
        Random random = new(seed);
        // Every kind of fault occurs in a random order before any kind occurs again.
        int[] kinds = [.. Enumerable.Range(0, KindsOfFaults)];
        int losses = 0;
        await using (TopicRun run = new(channels, "t", publishers: 3, subscribers: 30))
        {
            for (int step = 0; step < steps; step++)
            {
                if (step % KindsOfFaults == 0)
                {
                    random.Shuffle(kinds);
                }

                run.Go(60);
                switch (kinds[step % KindsOfFaults])
                {
                    case 0:
                        int gateway = random.Next(gateways.Length);
                        gateways[gateway].Dispose();
                        gateways[gateway] = await ServerProcess.StartAtAsync(gateways[gateway].Endpoint.Port, "--store", redis.Url);
                        break;
                    case 1:
                        redis.Pause();
                        await Task.Delay(random.Next(1_500));
                        redis.Resume();
                        break;
                    case 2:
                        redis.Kill();
                        redis.Restart();
                        losses++;
                        break;
                    default:
                        // Closes either one connection that reads, or all connections.
                        string[] readers =
                        [
                            .. redis.Ask("client", "list").Split('\n').Where(static line => line.Contains("cmd=xread", StringComparison.Ordinal)),
                        ];
                        bool isReader = random.Next(2) == 0 && readers.Length > 0;
                        string[] kill = isReader ? ["id", readers[random.Next(readers.Length)].Split(' ')[0][3..]] : ["type", "normal"];
                        redis.Ask(["client", "kill", .. kill]);
                        break;
                }
            }

            await run.EndAsync();
            Assert.True(losses == 0 || run.Gaps > 0, "A server that came back empty was told to nobody.");
        }

        foreach (RpcChannel channel in channels)
        {
            await channel.DisposeAsync();
        }

        Array.ForEach(gateways, static gateway => gateway.Dispose());
    }
}
