using Larder.Harness;

namespace Larder.Tuner.Processes;

/// <summary>A resource that the tuner needs is missing or has failed. The message is shown to the user and states what to do.</summary>
internal sealed class TunerException(string message) : HarnessException(message);
