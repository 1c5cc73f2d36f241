namespace Larder.Server.Tests;

/// <summary>The collection of tests that count the allocations of the whole process. No other test runs concurrently.</summary>
[CollectionDefinition(nameof(SequentialMeasurements), DisableParallelization = true)]
#pragma warning disable CA1711, CA1515 // xunit finds the type by its attribute and requires it to be public.
public sealed class SequentialMeasurements;
