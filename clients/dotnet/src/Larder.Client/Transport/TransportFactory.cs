using System.Net;
using Larder.Client.Calls;
using Larder.Client.Gateways;
using Larder.Wire;
using Microsoft.Extensions.Logging;

namespace Larder.Client;

/// <summary>Creates the transport of a client.</summary>
internal static class TransportFactory
{
    /// <summary>Returns the concurrency limit for the configured transport.</summary>
    public static int CapOf(Configuration configuration) =>
        configuration.Transport == Transport.Unary ? configuration.MaxInFlightUnary : configuration.MaxInFlightPipeline;

    public static ITransport Create(Configuration configuration, CredentialProvider credentials, CallRunner runner, ILogger logger) =>
        credentials.Gateways is [{ IsName: false }]
            ? CreateOne(configuration, credentials, null, 1, runner, logger)
            : new GatewaySet(GatewaysOf(configuration, credentials, runner, logger), runner, logger);

    /// <summary>Returns the options for a set of gateways.</summary>
    public static GatewaySetOptions GatewaysOf(Configuration configuration, CredentialProvider credentials, CallRunner runner, ILogger logger) => new()
    {
        Addresses = credentials.Gateways,
        Connect = (gateway, address) => CreateOne(configuration, credentials.Only(gateway), address, credentials.Gateways.Count, runner, logger),
        LongestWait = configuration.MaxBackOff,
        CallTimeout = configuration.RequestTimeout,
    };

    private static IGatewayTransport CreateOne(
        Configuration configuration,
        CredentialProvider credentials,
        IPAddress? address,
        int gateways,
        CallRunner runner,
        ILogger logger)
    {
        // The options are created for each connection, because certificate files may have changed.
        RpcChannelOptions OptionsOfNow() => WireChannel.OptionsFor(configuration, credentials, address, runner.Clock.Provider, logger);
        Func<RpcChannelOptions> options = OptionsOfNow;
        // If a name has several addresses, each address is a separate gateway, so the log contains the address too.
        string endpoint = address is null ? credentials.Endpoint.Authority : $"{credentials.Endpoint.Authority} ({address})";
        CallHeaders headers = new(credentials, configuration, runner.Tokens);
        UnaryTransport unary = CreateUnary(configuration, headers, options, endpoint, runner, logger);
        return configuration.Transport == Transport.Unary
            ? unary
            : new PipelineTransport(configuration, unary, headers, options, runner, Random.Shared.NextDouble, endpoint, logger, gateways);
    }

    private static UnaryTransport CreateUnary(
        Configuration configuration,
        CallHeaders headers,
        Func<RpcChannelOptions> options,
        string endpoint,
        CallRunner runner,
        ILogger logger)
    {
        ChannelPoolOptions bounds = new()
        {
            Endpoint = endpoint,
            // With the pipeline, one channel is sufficient, because only control calls and large values are unary.
            Least = configuration.Transport == Transport.Unary ? configuration.EffectiveChannels : 1,
            FailFastAfter = RetryPolicy.Grace,
        };
        ChannelPool channels = new(
            bounds,
            () => new WireChannel(new RpcChannel(options())),
            RetryPolicy.ForConnecting(configuration),
            Random.Shared.NextDouble,
            runner.Clock,
            logger);
        return new UnaryTransport(channels, headers, runner.Clock);
    }
}
