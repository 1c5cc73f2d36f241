using Larder.Client;

namespace Larder.Report.Tests;

/// <summary>The .NET code that the report generates. It is pasted here so that it is compiled. A test compares it with the report's output.</summary>
internal static class PastedConfiguration
{
    public static async Task<Configuration> PipelineAsync()
    {
        // measured.
        Configuration configuration = Configurations.Laptop.V1() with
        {
            Transport = Transport.Pipeline,
            MaxInFlightPipeline = 8,
            Channels = 2,
            RequestTimeout = TimeSpan.FromMilliseconds(1100),
        };
        await using CacheClient client = new(configuration, CredentialProvider.Local(), defaultTtl: TimeSpan.FromMinutes(5));
        return configuration;
    }

    public static async Task<Configuration> UnaryAsync()
    {
        // measured.
        Configuration configuration = Configurations.InRegion.LowLatency.V1() with
        {
            Transport = Transport.Unary,
            MaxInFlightUnary = 21,
        };
        await using CacheClient client = new(configuration, CredentialProvider.Local(), defaultTtl: TimeSpan.FromMinutes(5));
        return configuration;
    }

    public static async Task<Configuration> AutoAsync()
    {
        // measured.
        Configuration configuration = Configurations.Lambda.V1() with
        {
            Transport = Transport.Auto,
            MaxInFlightPipeline = 34,
        };
        await using CacheClient client = new(configuration, CredentialProvider.Local(), defaultTtl: TimeSpan.FromMinutes(5));
        return configuration;
    }
}
