using Larder.Server.Tests.Topics;
using Larder.Wire;

namespace Larder.Server.Tests.Fleet.Topics;

/// <summary>Publishes numbered messages of the form <c>name:number</c> sequentially, and records which messages were acknowledged.</summary>
internal sealed class RetryingPublisher : IAsyncDisposable
{
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(20);

    private readonly HashSet<long> _answered = [];
    private readonly IReadOnlyList<RpcChannel> _gateways;
    private readonly string _topic;
    private readonly string _name;
    private readonly Task _publishing;
    private volatile bool _ends;
    private long _number;

    public RetryingPublisher(IReadOnlyList<RpcChannel> gateways, string topic, string name)
    {
        _gateways = gateways;
        _topic = topic;
        _name = name;
        _publishing = Task.Run(PublishAsync);
    }

    public string Name => _name;

    /// <summary>The numbers of the acknowledged messages.</summary>
    public HashSet<long> Answered
    {
        get
        {
            lock (_answered)
            {
                return [.. _answered];
            }
        }
    }

    /// <summary>Publishes a last message, which is retried until it is acknowledged, and then stops. Returns the last message.</summary>
    public async Task<string> EndAsync()
    {
        _ends = true;
        await _publishing;
        await Redis.Tests.Eventually.UntilAsync(PublishOneAsync, "the last message is published");
        return $"{_name}:{_number}";
    }

    public async ValueTask DisposeAsync()
    {
        _ends = true;
        await _publishing;
    }

    private async Task PublishAsync()
    {
        while (!_ends)
        {
            await PublishOneAsync();
        }
    }

    private async Task<bool> PublishOneAsync()
    {
        long number = ++_number;
        try
        {
            await _gateways[(int)(number % _gateways.Count)].PublishAsync(_topic, $"{_name}:{number}");
            lock (_answered)
            {
                _answered.Add(number);
            }

            return true;
        }
        catch (RpcException error) when (error.Status.Code is StatusCode.Unavailable or StatusCode.Internal or StatusCode.Cancelled)
        {
            await Task.Delay(s_pause);
            return false;
        }
    }
}
